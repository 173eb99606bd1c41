# Builds what has to be built, once: a row whose toolchain is missing says what that said.
cd "$(dirname "$0")" || exit
for folder in go java python; do (
  cd $folder && mkdir -p build || exit
  rm -f build/failed
  sh prepare.sh 2> build/errors || tail -n 3 build/errors > build/failed
); done
