#!/bin/sh
# Lists the Markdown and text files below a folder by their number of words.
find "$1" -type f \( -name '*.md' -o -name '*.txt' \) -not -path '*/.*' -exec wc -w {} + |
  grep -v ' total$' | sort -rn | head -n "$2" | awk '{ printf "%s %s\n", $1, $2 }'
