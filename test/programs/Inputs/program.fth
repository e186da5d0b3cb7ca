: square dup * ;
: factorial dup 2 < if drop 1 else dup 1 - recurse * then ;
: fib dup 2 < if else dup 1 - recurse swap 2 - recurse + then ;
: stars 0 do 42 emit loop cr ;
: gcd dup 0 = if drop else swap over mod recurse then ;
: table 1 + 1 do i dup . square . cr loop ;
7 square . 20 factorial . 15 fib . cr
10 stars
1071 462 gcd . cr
5 table
: greet ." hello, world" cr ;
greet
1 2 3 rot . . . cr
5 0 = if ." zero" else ." not zero" then cr
3 bye
