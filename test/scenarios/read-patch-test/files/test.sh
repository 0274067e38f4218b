grep -q "a + b" sum.js && echo "ok 1" || { echo "not ok 1"; exit 1; }
