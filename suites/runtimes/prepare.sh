# Builds what has to be built, once: a row whose toolchain is missing says what that said.
cd "$(dirname "$0")" || exit
for folder in go java python; do (
  cd $folder && mkdir -p build || exit
  rm -f build/failed
  # Python's begins with an empty folder, so what it says is kept elsewhere.
  said=$(sh prepare.sh 2>&1) || printf '%s\n' "$said" | tail -n 3 > build/failed
); done
