import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PetStoreExtension.class)
class PetStoreTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void connects(PetStoreExtension.PetStore store) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(store.url() + "/pets"))
                .header("Authorization", store.authorization())
                .build();
        var response = client.send(request, BodyHandlers.ofString());
        assertEquals(200, response.statusCode());
        assertTrue(response.body().startsWith("[{\"id\":1,"), response.body());
    }

    @Test
    void cancelsAnOrder(PetStoreExtension.PetStore store) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(store.url() + "/store/orders/40"))
                .DELETE()
                .header("Authorization", store.authorization())
                .build();
        assertEquals(204, client.send(request, BodyHandlers.discarding()).statusCode());
    }
}
