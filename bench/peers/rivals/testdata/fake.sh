#!/bin/sh
# A rival whose behaviour depends on the ID of the page.
echo '{"name":"fake","version":"1","language":"sh"}'
while read -r line; do
  case $line in
    *'"id":"crash"'*) echo 'out of memory' >&2; exit 3 ;;
    *'"id":"hang"'*) exec sleep 600 ;;
    *'"id":"garbage"'*) echo 'Welcome!' ;;
    *'"id":"wrong"'*) echo '{"id":"another","text":"a"}' ;;
    *'"id":"fail"'*) echo '{"id":"fail","error":"no text found","time_ms":3}' ;;
    *) echo '{"id":"good","text":"It rained.","authors":["Ann"],"parse_ms":1,"time_ms":2}' ;;
  esac
done
