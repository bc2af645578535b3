import java.util.HashSet;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.model.*;

public class Java {
    interface Call {
        void make() throws ApiException;
    }

    static ApiClient client(String url, String key) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(url);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        return client;
    }

    static ApiException rejected(Call call) {
        try {
            call.make();
            return null;
        } catch (ApiException error) {
            return error;
        }
    }

    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var store = client(env.get("URL"), env.get("KEY"));
        var large = client(env.get("LARGE_URL"), env.get("LARGE_KEY"));
        var orders = new OrdersApi(store);
        var largeOrders = new OrdersApi(large);

        var page = orders.listOrders(null, null, null, null, null, null, 15, null, null);
        System.out.println("list " + page.getData().size());
        var seen = new HashSet<Long>();
        page.getData().forEach(order -> seen.add(order.getId()));
        while (page.getNextCursor() != null) {
            page = orders.listOrders(null, null, null, null, null, null, 15, page.getNextCursor(), null);
            page.getData().forEach(order -> seen.add(order.getId()));
        }
        System.out.println("pages " + seen.size());

        var wanted = new OrderInput().petId(1L).quantity(1);
        var placed = orders.placeOrder(wanted, "generated");
        System.out.println("place " + placed.getStatus());
        var replayed = orders.placeOrder(wanted, "generated");
        System.out.println("replay " + (replayed.getId().equals(placed.getId()) ? "same" : "another"));
        System.out.println("get " + orders.getOrder(placed.getId(), null).getStatus());
        orders.cancelOrder(placed.getId());
        System.out.println("cancel " + orders.getOrder(placed.getId(), null).getStatus());
        var conflict = rejected(() -> orders.cancelOrder(placed.getId()));
        // The body of an error is text.
        var error = ApiClient.createDefaultObjectMapper().readValue(conflict.getResponseBody(), ErrorBody.class);
        System.out.println("conflict " + conflict.getCode() + " " + error.getCode());

        var unchanged = rejected(() -> largeOrders.getOrder(1L, env.get("ETAG")));
        System.out.println("unchanged " + unchanged.getCode());
        System.out.println("large " + largeOrders.getOrder(Long.valueOf(env.get("LARGE_ID")), null).getId());
        System.out.print("events");
        for (var event : new EventsApi(large).listEvents("0", null).getData()) {
            Object one = event.getActualInstance();
            System.out.print(" " + one.getClass().getMethod("getType").invoke(one));
        }
        System.out.println();
        var message = ApiClient.createDefaultObjectMapper().readValue(env.get("MESSAGE"), Message.class);
        var order = (OrderPlacedEvent) message.getActualInstance();
        System.out.println("webhook " + order.getType() + " " + order.getData().getPetId());
    }
}
