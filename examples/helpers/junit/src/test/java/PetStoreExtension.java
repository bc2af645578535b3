import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a private Pet Store for the test run and passes it to tests: {@code @ExtendWith(PetStoreExtension.class)} and a
 * parameter of type {@code PetStoreExtension.PetStore}. Requires {@code petstore} on the path, or its location in the
 * environment variable PETSTORE, and sh.
 */
public class PetStoreExtension implements ParameterResolver {
    public record PetStore(String url, String v2Url, String key) {
        public String authorization() {
            return "Bearer " + key;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == PetStore.class;
    }

    @Override
    public PetStore resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(PetStoreExtension.class))
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
                .store;
    }

    /** Closed by JUnit after the last test. */
    private record Running(Process process, PetStore store) implements CloseableResource {
        // `petstore run` stops the service and deletes its data when this command ends: at the end of its
        // input, even after a crash of the tests.
        private static final String WAIT = "echo \"$PETSTORE_URL $PETSTORE_V2_URL $PETSTORE_KEY\"; cat";

        static Running start() {
            var program = System.getenv().getOrDefault("PETSTORE", "petstore");
            try {
                var process = new ProcessBuilder(List.of(program, "run", "--", "sh", "-c", WAIT))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                var line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
                if (line == null) throw new IllegalStateException(program + " did not start");
                var values = line.split(" ");
                return new Running(process, new PetStore(values[0], values[1], values[2]));
            } catch (IOException error) {
                throw new IllegalStateException(program + " could not be started", error);
            }
        }

        @Override
        public void close() throws Exception {
            process.getOutputStream().close();
            process.waitFor();
        }
    }
}
