use openapi::apis::configuration::Configuration;
use openapi::apis::events_api::list_events;
use openapi::apis::orders_api::{cancel_order, get_order, list_orders, place_order};
use openapi::apis::Error;
use openapi::models::{ErrorBody, Event, Message, OrderInput, OrderPage};
use std::collections::HashSet;
use std::env::var;

type Failure = Box<dyn std::error::Error>;

fn client(url: &str, key: &str) -> Result<Configuration, Failure> {
    Ok(Configuration { base_path: var(url)?, bearer_access_token: Some(var(key)?), ..Default::default() })
}

async fn page(store: &Configuration, cursor: Option<&str>) -> Result<OrderPage, Failure> {
    Ok(list_orders(store, None, None, None, None, None, None, Some(15), cursor, None).await?)
}

/// The text field of a response object.
fn text<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_string()
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let store = client("URL", "KEY")?;
    let large = client("LARGE_URL", "LARGE_KEY")?;

    let mut listed = page(&store, None).await?;
    println!("list {}", listed.data.len());
    let mut seen: HashSet<i64> = listed.data.iter().map(|order| order.id).collect();
    while let Some(cursor) = listed.next_cursor {
        listed = page(&store, Some(&cursor)).await?;
        seen.extend(listed.data.iter().map(|order| order.id));
    }
    println!("pages {}", seen.len());

    let wanted = OrderInput::new(1, 1);
    let placed = place_order(&store, wanted.clone(), Some("generated")).await?;
    println!("place {}", text(&placed.status));
    let replayed = place_order(&store, wanted, Some("generated")).await?;
    println!("replay {}", if replayed.id == placed.id { "same" } else { "another" });
    println!("get {}", text(&get_order(&store, placed.id, None).await?.status));
    cancel_order(&store, placed.id).await?;
    println!("cancel {}", text(&get_order(&store, placed.id, None).await?.status));
    if let Err(Error::ResponseError(rejected)) = cancel_order(&store, placed.id).await {
        let body: ErrorBody = serde_json::from_str(&rejected.content)?;
        println!("conflict {} {}", rejected.status.as_u16(), text(&body.code));
    }

    let unchanged = get_order(&large, 1, Some(&var("ETAG")?)).await;
    match unchanged {
        Err(Error::ResponseError(response)) => println!("unchanged {}", response.status.as_u16()),
        // The client treats a 304 as success, and fails to parse an order.
        Err(_) => println!("unchanged an error without its status"),
        Ok(order) => println!("unchanged {}", order.id),
    }
    println!("large {}", get_order(&large, var("LARGE_ID")?.parse()?, None).await?.id);
    let events = list_events(&large, Some("0"), None).await?;
    let types: Vec<&str> = events
        .data
        .iter()
        .map(|event| match event {
            Event::StoreResetEvent(_) => "store.reset",
            Event::PetChangedEvent(_) => "pet.changed",
            Event::OrderPlacedEvent(_) => "order.placed",
            _ => "another",
        })
        .collect();
    println!("events {}", types.join(" "));
    if let Message::OrderPlacedEvent(message) = serde_json::from_str(&var("MESSAGE")?)? {
        println!("webhook order.placed {}", message.data.pet_id);
    }
    Ok(())
}
