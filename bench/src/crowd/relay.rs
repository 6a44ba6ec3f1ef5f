//! Members of servers that have rooms and no accounts.

use crate::clock;
use crate::crowd::annon::room_of;
use crate::crowd::{Size, fill};
use crate::dialect::Annon;
use crate::engine::Hall;
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;

/// Seats and frames as Annon has them; any room exists.
pub(crate) async fn gather_bare(address: Address, size: Size, stop: &Stop) -> Result<(Annon, Hall), Trouble> {
    // Others than in the run before, whose members may still sit there.
    let tag = clock::since_1970().as_millis() & 0xffff_ffff;
    let ids: Vec<_> = (0..size.rooms).map(|room| format!("{tag:08x}-0000-4000-8000-{room:012}")).collect();
    let hall = fill(size, |room| room_of(address, &ids[room], room * size.members, size.members), stop).await?;
    Ok((Annon { rooms: ids }, hall))
}
