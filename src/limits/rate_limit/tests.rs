use super::calls::CountedBy;
use super::*;
use crate::stopped_clock::StoppedClock;
use annon_contract::limits::ADDRESS_PICTURE_BYTES;

fn limits() -> (RateLimits, Arc<StoppedClock>) {
    let clock = StoppedClock::new();
    (RateLimits::new(true, 4000, clock.clone(), Nodes::default()).unwrap(), clock)
}

fn ip(raw: &str) -> IpAddr {
    raw.parse().unwrap()
}

#[test]
fn a_household_is_one_caller() {
    let (limits, _) = limits();
    let tries = |address: &str| (0..100).filter(|_| limits.take(Call::SignIn, ip(address)).is_ok()).count();
    assert_eq!(tries("2001:db8::1"), 20);
    assert_eq!(tries("2001:db8::ffff:2"), 0);
    assert_eq!(tries("2001:db8:0:1::1"), 20);
}

#[test]
fn an_account_gets_three_reset_mails_an_hour_also_when_addresses_are_not_counted() {
    let clock = Arc::new(annon_actors::clock::SystemClock);
    let limits = RateLimits::new(false, 4000, clock, Nodes::default()).unwrap();
    let account = AccountId(uuid::Uuid::from_u128(1));
    assert_eq!((0..10).filter(|_| limits.take_of(Call::ConfirmationOf, account).is_ok()).count(), 3);
    assert!(limits.take(Call::SignIn, ip("192.0.2.1")).is_ok());
}

#[test]
fn an_address_stores_so_many_bytes_of_pictures_an_hour() {
    let (limits, clock) = limits();
    let picture = 512 * 1024;
    let stored = |address| (0..10_000).take_while(|_| limits.store_picture(ip(address), picture).is_ok()).count();
    let most = ADDRESS_PICTURE_BYTES as usize / picture;
    assert_eq!(stored("192.0.2.1"), most);
    assert!(matches!(
        limits.store_picture(ip("192.0.2.1"), picture),
        Err(ApiError { code: Code::TooManyPictures, .. })
    ));
    assert_eq!(stored("192.0.2.2"), most, "another's");
    clock.pass(Duration::from_secs(30 * 60));
    assert!(stored("192.0.2.1").abs_diff(most / 2) <= 1);
}

#[test]
fn one_address_leaves_connections_to_others_and_a_proxy_has_those_of_many() {
    let clock = Arc::new(annon_actors::clock::SystemClock);
    let limits = RateLimits::new(true, 100, clock, Nodes::default()).unwrap();
    let open = |address, is_proxy| std::iter::from_fn(|| limits.connect(ip(address), is_proxy)).collect::<Vec<_>>();
    let theirs = open("192.0.2.1", false);
    assert_eq!(theirs.len(), 25);
    let proxied = open("10.0.0.1", true);
    assert_eq!(proxied.len(), 75);
    assert!(limits.connect(ip("192.0.2.2"), false).is_none(), "no descriptor is left for it");
    drop((theirs, proxied));
    assert!(limits.connect(ip("192.0.2.2"), false).is_some());
    assert!(limits.state.lock().held.is_empty());
}

#[test]
fn one_address_leaves_some_megabytes_of_answers_waiting_and_keeps_nobody_from_reading() {
    let (limits, _) = limits();
    let page = 1024 * 1024;
    let limits = &limits;
    let of = |n: u32| {
        let address = ip(&format!("192.0.2.{n}"));
        std::iter::from_fn(move || limits.answer(address, page).ok()).take(100).collect::<Vec<_>>()
    };
    let theirs = of(0);
    assert_eq!(theirs.len() * page, ANSWERS_EACH);
    let all: Vec<_> = (1..8).flat_map(of).collect();
    assert_eq!((theirs.len() + all.len()) * page, ANSWERS_IN_ALL);
    assert_eq!(of(100).len(), 1, "who leaves nothing is answered, and only that");
    assert!(limits.answer(ip("192.0.2.100"), 9 * page).is_ok(), "also when it is long");
    drop((theirs, all));
    assert_eq!(of(100).len(), 8);
    assert!(limits.state.lock().held.is_empty());
}

#[test]
fn the_memory_of_callers_is_bounded_and_no_address_can_clear_that_of_accounts() {
    let (limits, _) = limits();
    let account = |n: usize| AccountId(uuid::Uuid::from_u128(n as u128));
    let mails = || (0..10).filter(|_| limits.take_of(Call::ConfirmationOf, account(0)).is_ok()).count();
    assert_eq!(mails(), 3);
    let remembered = |by: CountedBy| limits.state.lock().buckets[by as usize].known.len();
    for n in 0..(REMEMBERED as u32 + 10) {
        let _ = limits.take(Call::Note, IpAddr::V4(n.into()));
        let _ = limits.take_note(IpAddr::V4(n.into()), account(0));
    }
    assert!(remembered(CountedBy::Caller) <= REMEMBERED && remembered(CountedBy::Pair) <= REMEMBERED);
    assert_eq!(mails(), 0);
    for n in 0..REMEMBERED + 10 {
        let _ = limits.take_of(Call::ConfirmationOf, account(n));
    }
    assert!(remembered(CountedBy::Account) <= REMEMBERED);
}

#[test]
fn one_address_sends_so_many_notes_to_one_inbox_and_more_to_others() {
    let (limits, clock) = limits();
    let inbox = |n: u128| AccountId(uuid::Uuid::from_u128(n));
    let sent = |address: &str, n| (0..200).filter(|_| limits.take_note(ip(address), inbox(n)).is_ok()).count();
    let pass = |seconds| clock.pass(Duration::from_secs(seconds));
    assert_eq!(sent("192.0.2.1", 1), 30);
    assert_eq!(sent("192.0.2.1", 2), 30);
    assert_eq!(sent("192.0.2.2", 1), 30);
    pass(10 * 60);
    assert_eq!(sent("192.0.2.1", 1), 5);
    let mut in_a_day = 35;
    for _ in 0..23 {
        pass(60 * 60);
        in_a_day += sent("192.0.2.1", 1);
    }
    // The day's bucket has 100 notes, and gets almost as many back in 24 hours.
    assert!((190..=200).contains(&in_a_day), "{in_a_day}");
    assert_eq!(sent("2001:db8::1", 1) + sent("2001:db8::ffff:2", 1), 30, "a household is one sender");
    let lifted = RateLimits::new(false, 4000, clock.clone(), Nodes::default()).unwrap();
    assert!((0..200).all(|_| lifted.take_note(ip("192.0.2.1"), inbox(1)).is_ok()));
}
