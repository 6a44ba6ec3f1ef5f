//! The emoji that members can react with, and that the web app offers for typing. Systems of the last years can draw
//! all of them. Reactions on disk name them, so only append new ones, each at the end of a group.

/// Every sign, in the groups in which the web app shows them. Each is one character. Some systems would draw it as
/// text; then U+FE0F is behind it.
#[rustfmt::skip]
pub const SIGNS: [&str; 8] = [
    "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🥲😋😛😜🤪😝🤑🤗🤭🤫🤔🤐🤨😐😑😶😏😒🙄😬🤥😌😔😪🤤😴😷🤒🤕🤢🤮🤧🥵🥶🥴😵🤯🤠🥳🥸😎🤓🧐😕😟🙁😮😯😲😳🥺😦😧😨😰😥😢😭😱😖😣😞😓😩😫🥱😤😡😠🤬😈👿💀💩🤡👹👺👻👽👾🤖",
    "👋🤚✋🖖👌🤌🤏🤞🤟🤘🤙👈👉👆👇👍👎✊👊🤛🤜👏🙌👐🤲🤝🙏💪👀👄🧠🙈🙉🙊🤷🤦🙋🙇💃🕺💋💌💘💝💖💗💓💞💕💔❤️🧡💛💚💙💜🤎🖤🤍💯💢💥💫💦💨💬💭💤",
    "🐶🐱🐭🐹🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🐤🦆🦅🦉🦇🐺🐗🐴🦄🐝🐛🦋🐌🐞🐜🦗🐢🐍🦎🐙🦑🦐🦀🐡🐠🐟🐬🐳🐋🦈🐊🐅🐆🦓🐘🦏🐪🦒🦘🐄🐎🐑🦙🐐🐕🐈🐓🦃🦚🦜🦢🐇🦝🦥🦔🌵🎄🌲🌳🌴🌱🌿🍀🍃🍂🍁🍄💐🌷🌹🌺🌸🌼🌻",
    "🍎🍐🍊🍋🍌🍉🍇🍓🍈🍒🍑🥭🍍🥥🥝🍅🍆🥑🥦🥬🥒🌽🥕🧄🧅🥔🍠🥐🥯🍞🥖🥨🧀🥚🍳🧈🥞🧇🥓🥩🍗🍖🌭🍔🍟🍕🥪🥙🧆🌮🌯🥗🥘🥫🍝🍜🍲🍛🍣🍱🥟🍤🍙🍚🍘🍥🍢🍡🍧🍨🍦🥧🧁🍰🎂🍮🍭🍬🍫🍿🍩🍪🌰🥜🍯🥛🍼☕🍵🧃🥤🍶🍺🍻🥂🍷🥃🍸🍹🧉🍾🧊",
    "⚽🏀🏈⚾🥎🎾🏐🏉🥏🎱🏓🏸🏒🏏🥅⛳🏹🎣🥊🥋🛹⛸️🎿🏂🏆🥇🥈🥉🏅🎪🎭🎨🎬🎤🎧🎼🎹🥁🎷🎺🎸🎻🎲🎯🎳🎮🎰🧩🎈🎉🎊🎁🎀🎃🎆🎇✨",
    "🚗🚕🚙🚌🏎️🚓🚑🚒🚚🚜🛴🚲🛵🚨🚃🚆🚇✈️🛫🛬🚀🛸🚁⛵🚤🚢⚓🚧🚦🗺️🗽🗼🏰🏯🎡🎢🎠⛲🏖️🏝️🌋🗻🏕️⛺🏠🏡🏢🏥🏦🏨🏫⛪🕌🌁🌃🌆🌇🌉🌌🌍🌙🌛🌞⭐🌟☀️⛅🌈⚡🔥❄️⛄☔🌊",
    "⌚📱💻⌨️🖥️🖨️💾💿📷🎥📞📺📻⏰⌛💡🔦🕯️💸💵💰💳💎🔧🔨🔩🧲💣🔪🔮💈🔭🔬💊💉🧬🧪🧹🧻🚽🚿🛁🧼🔑🚪🛋️🛏️🧸🛒✉️📧📦📜📄📅📈📌📎✂️📝✏️🔍🔒🔓👑👒🎩🎓👓👔👕👖🧣🧤👗👠👟🎒",
    "❗❓❕❔✅❌⭕🚫🛑♻️✔️➕➖➗➡️⬅️⬆️⬇️↩️🔄🔁🔀▶️⏸️⏹️⏩⏪🔔🔕🔇🔊📣🏁🚩🔴🟠🟡🟢🔵🟣🟤⚫⚪🔺🔻🔶🔷🆗🆕🆓🆒🆘🔝♥️♠️♦️♣️",
];

/// The signs that are at hand, without looking into the groups.
pub const SIGNS_AT_HAND: [&str; 6] = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

/// Stands for a sign that this version doesn't know. Nobody can react with it.
pub const UNKNOWN_SIGN: &str = "🏷️";

/// The sign that this text is, as it is shown: with U+FE0F or without.
pub fn sign(raw: &str) -> Option<char> {
    let mut characters = raw.chars();
    let sign = characters.next().filter(|sign| shown(*sign).is_some())?;
    matches!((characters.next(), characters.next()), (None | Some(IN_COLOUR), None)).then_some(sign)
}

/// How a sign is shown; `None` if there is no such sign.
pub fn shown(sign: char) -> Option<&'static str> {
    if sign == IN_COLOUR {
        return None;
    }
    let (group, at) = SIGNS.iter().find_map(|group| Some((group, group.find(sign)?)))?;
    let mut end = at + sign.len_utf8();
    if group[end..].starts_with(IN_COLOUR) {
        end += IN_COLOUR.len_utf8();
    }
    group.get(at..end)
}

/// Asks for colour, behind a sign that would be drawn as text.
const IN_COLOUR: char = '\u{FE0F}';

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_sign_is_there_once_and_is_found_with_and_without_its_colour() {
        let all: Vec<_> = SIGNS.iter().flat_map(|group| group.chars()).filter(|sign| *sign != IN_COLOUR).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        for one in all {
            let as_shown = shown(one).unwrap();
            assert_eq!((sign(as_shown), sign(&one.to_string())), (Some(one), Some(one)));
        }
        assert_eq!(shown('❤'), Some("❤️"));
        assert!(SIGNS_AT_HAND.iter().all(|at_hand| sign(at_hand).and_then(shown) == Some(at_hand)));
    }

    #[test]
    fn nothing_else_is_a_sign() {
        for other in ["", "a", "👍👍", "👍🏽", "❤️❤️", "❤️a", "\u{FE0F}", "👨‍👩‍👧", "🇩🇪", "1️⃣"]
        {
            assert_eq!(sign(other), None, "{other}");
        }
    }
}
