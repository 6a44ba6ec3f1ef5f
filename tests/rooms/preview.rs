//! What an app that shows a link's preview is told of a group and of a personal page.

use crate::rooms::group::Group;
use crate::support::client::Answer;
use crate::support::server::Server;

/// The address of the picture on a page's card.
fn picture(html: &str) -> &str {
    let (_, rest) = html.split_once(r#"<meta property="og:image" content=""#).unwrap();
    let (address, _) = rest.split_once('"').unwrap();
    address.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap()
}

fn is_card(answer: &Answer) -> bool {
    answer.status == 200
        && answer.header("content-type") == Some("image/png")
        && answer.body.starts_with(b"\x89PNG\r\n\x1a\n")
}

#[test]
fn the_preview_of_a_groups_link_says_its_seats_and_its_time_and_neither_its_id_nor_its_name() {
    let server = Server::start();
    let group = Group::new(&server);
    let path = format!("/room/{}", group.id);
    let preview = || server.get(&path).send().text();
    let html = preview();
    assert_eq!(picture(&html), "/card/group/10-24h.png");
    assert!(html.contains("10 seats free, gone in 24 hours"), "{html}");
    assert!(!html.contains("midnight") && !html.contains(&group.id) && !html.contains("og:url"), "{html}");

    let _seat = group.seat(&server);
    let html = preview();
    assert_eq!(picture(&html), "/card/group/9-24h.png");
    assert!(is_card(&server.get(picture(&html)).send()));

    // Who opens the page in a browser gets one that doesn't change with the group.
    let opened = server.get(&path).header("Sec-Fetch-Dest", "document").send();
    assert_eq!(picture(&opened.text()), "/og.png");
    assert!(opened.header("vary").is_some_and(|vary| vary.contains("sec-fetch-dest")));
    let gone = server.get("/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a").send();
    assert_eq!((gone.status, picture(&gone.text())), (200, "/og.png"));
}

#[test]
fn a_card_is_drawn_once_and_nonsense_is_none() {
    let server = Server::start();
    let html = server.get("/Some_Body").send().text();
    let first = server.get(picture(&html)).send();
    assert!(is_card(&first) && first.header("cache-control") == Some("public, max-age=86400"));
    let etag = first.header("etag").unwrap().to_owned();
    assert_eq!(server.get("/card/Some_Body.png").header("If-None-Match", &etag).send().status, 304);
    for path in [
        "/card/short.png",
        "/card/Some_Body",
        "/card/Some_Body.png.png",
        "/card/Some%5FBody.jpg",
        "/card/%3Cscript%3E.png",
        "/card/group/11-24h.png",
        "/card/group/09-24h.png",
        "/card/group/-1-24h.png",
        "/card/group/9-0h.png",
        "/card/group/9-999999999999999999999h.png",
        "/card/group/.png",
        "/card/..%2f..%2fetc%2fpasswd.png",
    ] {
        assert_eq!(server.get(path).send().status, 404, "{path}");
    }
    // Only what must be drawn counts: strangers can't keep a core busy.
    let ask = |number: usize| server.get(&format!("/card/somebody-{number}.png")).send();
    let refused = (0..200).map(ask).find(|answer| answer.status != 200).unwrap();
    assert_eq!(refused.status, 429);
}
