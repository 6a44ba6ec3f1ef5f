//! A group's new link, with two servers on one database.

use crate::rooms::group::{GONE, Group};
use crate::support::database::{Databases, with};
use crate::support::server::{Folder, Server};

#[test]
fn a_new_link_counts_at_every_server_at_once() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [here, there] = [(); 2].map(|()| databases.flags());
    let one = Server::on(&databases.folder, &with(&here, "--node-name", None));
    let other = Server::on(&elsewhere, &with(&there, "--node-name", Some("the second")));
    let first = Group::new(&one);
    let seats = [&one, &other].map(|server| first.seat(server));
    let mut newest = first.clone();
    for n in 0..4 {
        let (here, there) = if n % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let before = newest.clone();
        newest = newest.renewed(here);
        before.view(there, None, "").assert(404, GONE);
        assert_eq!(newest.view(there, None, "").status, 200);
        for seat in &seats {
            assert_eq!(first.data(there, seat)["link"], newest.id);
        }
    }
}
