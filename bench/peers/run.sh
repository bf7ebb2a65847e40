#!/usr/bin/env bash
# Measures lede and the installed rivals on corpora, on one core each:
#
#   ./run.sh CORPUS… [FLAGS of lede-lab eval]
set -euo pipefail
here=$(dirname "$0")
mkdir -p "$here/.rivals"
go build -C "$here" -o .rivals/peers .
go build -C "$here/../.." -o bench/peers/.rivals/lede-lab ./cmd/lede-lab

# One thread for common libraries, and the last core, which is often the least busy.
export OMP_NUM_THREADS=1 RAYON_NUM_THREADS=1 GOMAXPROCS=1 UV_THREADPOOL_SIZE=1
core=
if command -v taskset >/dev/null; then core="taskset -c $(($(nproc) - 1)) "; fi

rivals=()
# add NAME FILE COMMAND adds a rival if FILE, which it needs, is there.
add() {
  if [ -e "$here/$2" ]; then
    rivals+=(--rival "$1=$core$3")
  else
    echo "peers: left out: $1 is not installed; run install.sh" >&2
  fi
}

for name in lede go-trafilatura go-trafilatura+fallback go-readability go-domdistiller; do
  add "$name" .rivals/peers "$here/.rivals/peers $name"
done
python=.rivals/python/bin/python
for name in trafilatura newspaper4k resiliparse justext readability-lxml boilerpy3 news-please; do
  add "$name" "$python" "$here/$python $here/python/rival.py $name"
done
add lede-news .rivals/python/bin/lede "$here/$python $here/python/rival.py lede-news"
for name in readability.js defuddle; do
  add "$name" node/node_modules "node $here/node/rival.mjs $name"
done
add rs-trafilatura .rivals/rust/release/rival "$here/.rivals/rust/release/rival"

"$here/.rivals/lede-lab" eval "$@" --workers 1 --methods none --measure bag,time "${rivals[@]}"
