package example

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// petStore is the private Pet Store of this test run, started by TestMain.
var petStore struct{ URL, V2URL, Key string }

// TestMain starts it, runs the tests and stops it. Requires petstore on the path, or its location in the environment variable PETSTORE, and sh.
// Copy this file into your package.
func TestMain(m *testing.M) {
	program := os.Getenv("PETSTORE")
	if program == "" {
		program = "petstore"
	}
	// `petstore run` stops the service and deletes its data when this command ends: at the end of its input, even after a crash of the tests.
	command := exec.Command(program, "run", "--", "sh", "-c", `echo "$PETSTORE_URL $PETSTORE_V2_URL $PETSTORE_KEY"; cat`)
	command.Stderr = os.Stderr
	input, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		fmt.Fprintln(os.Stderr, program, "did not start:", command.Wait())
		os.Exit(3)
	}
	values := strings.Fields(line)
	petStore.URL, petStore.V2URL, petStore.Key = values[0], values[1], values[2]
	code := m.Run()
	input.Close()
	command.Wait()
	os.Exit(code)
}
