require 'uri'
require 'openapi_client'
include OpenapiClient

def client(url, key)
  settings = Configuration.new
  address = URI(url)
  settings.scheme, settings.host, settings.base_path = address.scheme, "#{address.host}:#{address.port}", address.path
  settings.server_index = nil
  settings.access_token = key
  ApiClient.new(settings)
end

def rejected
  yield
  nil
rescue ApiError => error
  error
end

orders = OrdersApi.new(client(ENV['URL'], ENV['KEY']))
large = client(ENV['LARGE_URL'], ENV['LARGE_KEY'])
large_orders = OrdersApi.new(large)

page = orders.list_orders(limit: 15)
puts "list #{page.data.size}"
seen = page.data.map(&:id)
while page.next_cursor
  page = orders.list_orders(limit: 15, cursor: page.next_cursor)
  seen += page.data.map(&:id)
end
puts "pages #{seen.uniq.size}"

wanted = OrderInput.new(pet_id: 1, quantity: 1)
placed = orders.place_order(wanted, idempotency_key: 'generated')
puts "place #{placed.status}"
replayed = orders.place_order(wanted, idempotency_key: 'generated')
puts "replay #{replayed.id == placed.id ? 'same' : 'another'}"
puts "get #{orders.get_order(placed.id).status}"
orders.cancel_order(placed.id)
puts "cancel #{orders.get_order(placed.id).status}"
conflict = rejected { orders.cancel_order(placed.id) }
# The body of an error is text.
puts "conflict #{conflict.code} #{JSON.parse(conflict.response_body)['code']}"

puts "unchanged #{rejected { large_orders.get_order(1, if_none_match: ENV['ETAG']) }&.code}"
puts "large #{large_orders.get_order(Integer(ENV['LARGE_ID'])).id}"
events = EventsApi.new(large).list_events(after: '0').data
puts "events #{events.map(&:type).join(' ')}"
message = Message.build(JSON.parse(ENV['MESSAGE'], symbolize_names: true))
puts "webhook #{message.type} #{message.data.pet_id}"
