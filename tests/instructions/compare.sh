#!/bin/sh
# Compares two lists of count.sh: fails where a count has grown by more than 3 percent.
# usage: compare.sh BEFORE AFTER
awk 'NR == FNR { before[$1] = $2; next }
     $1 in before { change = 100 * ($2 / before[$1] - 1); printf "%-36s %14d %14d %+7.2f %%\n", $1, before[$1], $2, change
                    if (change > 3) { worse = 1 } }
     END { exit worse }' "$1" "$2"
