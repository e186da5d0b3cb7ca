# Completes command lines of xcc, xcc-info, xcc-replay and xcc-run in bash: xcc lists
# its own options (--autocomplete=), those of the others come from their --help,
# and everything else is a file.
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
_xcc() {
  local cur=${COMP_WORDS[COMP_CWORD]} words="" word i
  # bash splits option=value into three words.
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

_xcc_tool() {
  local cur=${COMP_WORDS[COMP_CWORD]} option="" help
  help=$("${COMP_WORDS[0]}" --help 2>/dev/null)
  # bash splits option=value into three words.
  if [[ $cur == "=" ]]; then
    cur="" option=${COMP_WORDS[COMP_CWORD - 1]}
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local IFS=$'\n'
  COMPREPLY=()
  if [[ $option == --device ]]; then
    COMPREPLY=($(compgen -W $'host\ncuda\nhsa' -- "$cur"))
  elif [[ -n $option ]]; then
    COMPREPLY=($(compgen -W "$(grep -oE -e "$option=[a-z]+" <<<"$help" | cut -d= -f2 | sort -u)" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(grep -oE -e '--[a-z]+(-[a-z]+)*=?' <<<"$help" | sort -u)" -- "$cur"))
    # compopt fails outside of a completion, where there is nothing to set.
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  fi
  [[ ${#COMPREPLY[@]} == 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _xcc_tool xcc-info xcc-replay xcc-run
