# Installs what requirements.txt pins into a folder of its own, once.
set -e
cmp -s requirements.txt build/installed.txt && exit
python3 -m venv --clear build
build/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.txt
cp requirements.txt build/installed.txt
