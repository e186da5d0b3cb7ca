# Completion of xcc's command line in bash: options are xcc's to list
# (--autocomplete=), everything else is a file.
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
_xcc() {
  local cur=${COMP_WORDS[COMP_CWORD]} words="" word i
  # bash makes three words of option=value.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then
      words=${words%,}=
      [[ $i == "$COMP_CWORD" ]] && cur="" && words+=,
    else
      words+=$word
      ((i < COMP_CWORD)) && [[ ${COMP_WORDS[i + 1]} != "=" ]] && words+=,
    fi
    [[ $word == "=" && $i -lt $COMP_CWORD ]] && words+=,
  done
  local IFS=$'\n'
  if [[ $cur == -* || $words == *=,* && $words == *"=,$cur" ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --autocomplete="$words" 2>/dev/null | cut -f1)" -- "$cur"))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  fi
  [[ ${#COMPREPLY[@]} == 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _xcc xcc
