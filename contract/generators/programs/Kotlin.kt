import org.openapitools.client.apis.EventsApi
import org.openapitools.client.apis.OrdersApi
import org.openapitools.client.infrastructure.*
import org.openapitools.client.models.*

fun rejected(call: () -> Unit): Pair<Int, String?> = try {
    call()
    Pair(0, null)
} catch (error: ClientException) {
    Pair(error.statusCode, (error.response as? ClientError<*>)?.body?.toString())
}

fun typeOf(event: Any?): String = when (event) {
    is StoreResetEvent -> event.type.value
    is PetChangedEvent -> event.type.value
    is OrderPlacedEvent -> event.type.value
    else -> "another"
}

fun main() {
    val env = System.getenv()
    // All clients share one key.
    ApiClient.accessToken = env.getValue("KEY")
    val orders = OrdersApi(env.getValue("URL"))

    var page = orders.listOrders(limit = 15)
    println("list ${page.`data`.size}")
    val seen = page.`data`.map { it.id }.toMutableSet()
    while (page.nextCursor != null) {
        page = orders.listOrders(limit = 15, cursor = page.nextCursor)
        seen += page.`data`.map { it.id }
    }
    println("pages ${seen.size}")

    val wanted = OrderInput(petId = 1, quantity = 1)
    val placed = orders.placeOrder(wanted, "generated")
    println("place ${placed.status.value}")
    println("replay ${if (orders.placeOrder(wanted, "generated").id == placed.id) "same" else "another"}")
    println("get ${orders.getOrder(placed.id).status.value}")
    orders.cancelOrder(placed.id)
    println("cancel ${orders.getOrder(placed.id).status.value}")
    val (status, body) = rejected { orders.cancelOrder(placed.id) }
    // The body of an error is text.
    val error = Serializer.gson.fromJson(body, ErrorBody::class.java)
    println("conflict $status ${error?.code}")

    ApiClient.accessToken = env.getValue("LARGE_KEY")
    val large = OrdersApi(env.getValue("LARGE_URL"))
    println("unchanged ${large.getOrderWithHttpInfo(1, env.getValue("ETAG")).statusCode}")
    println("large ${large.getOrder(env.getValue("LARGE_ID").toLong()).id}")
    val events = EventsApi(env.getValue("LARGE_URL")).listEvents(after = "0")
    println("events ${events.`data`.joinToString(" ") { typeOf(it.actualInstance) }}")
    val message = Serializer.gson.fromJson(env.getValue("MESSAGE"), Message::class.java).actualInstance
    println("webhook ${typeOf(message)} ${(message as OrderPlacedEvent).`data`.petId}")
}
