# SPDX-License-Identifier: Apache-2.0
# Runs one Redis process and ends it when our standard input ends, which happens when the JVM that
# holds the other end closes it or dies, however it dies. Usage: sh -c "$guard" guard FOLDER COMMAND...
# Says the process id on the first line. A signal to the terminal's process group is not for us.
trap '' INT HUP TERM
folder=$1
shift
"$@" >>"$folder/out.log" 2>&1 </dev/null &
redis=$!
echo "$redis"
cat >/dev/null
kill -9 "$redis" 2>/dev/null
wait "$redis" 2>/dev/null
rm -rf "$folder"
