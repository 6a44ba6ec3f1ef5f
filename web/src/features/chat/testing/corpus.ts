/** What people with bad intentions write. None of it may become anything but text and links to the web. */

/** A message has several tags where they fit, with a space between two of them. */
const TAGS = [
  "<script>alert(1)</script> <scr<script>ipt>alert(1)</scr</script>ipt> </textarea><script>alert(1)</script>",
  '<img src=x onerror=alert(1)> <img src="x" onerror="fetch(`//evil.example`)"> <svg onload=alert(1)>',
  '<svg><use href="data:image/svg+xml,<svg onload=alert(1)>"/></svg> <details open ontoggle=alert(1)>',
  "<iframe src=javascript:alert(1)></iframe> <form action=//evil.example><input type=submit>",
  "<style>*{display:none}</style> <p style='position:fixed;inset:0;background:red'> <b>bold</b>",
  "<!-- --><script>alert(1)</script> <div data-row=x> <dialog open>hello</dialog>",
  "<\u0000script>alert(1)</script> <script\u2028>alert(1)</script> ＜script＞alert(1)＜/script＞",
];

const ENTITIES = [
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62;alert(1)&#60;/script&#62;",
  "&#x3c;img src=x onerror=alert(1)&#x3e; %3Cscript%3Ealert(1)%3C/script%3E",
  "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e {{constructor.constructor('alert(1)')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to look like one
  '${alert(1)} {"event":"event.chat","sender":"🦊"}',
];

/** The exact text and address of links are tested with `shared/richText/testing/links.json`. */
const LINKS = [
  "JaVaScRiPt:alert(1) java\tscript:alert(1) java\nscript:alert(1) javascript://a.example/%0aalert(1)",
  "vbscript:msgbox(1) intent://scan/#Intent;scheme=zxing;end mailto:a@b.example?bcc=c@d.example",
  "//evil.example/x data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg== www.javascript:alert(1)",
  'data:image/svg+xml,<svg onload=alert(1)> https://a.example/"onmouseover=alert(1)//',
  "https://a.example/'><script>alert(1)</script> https://a.example/><img src=x onerror=alert(1)>",
  "https://a.example/`onclick=alert(1)` https://a.example/?q=<script> https://a.example/#javascript:alert(1)",
  `https://${"a".repeat(230)}.example/`,
  `https://a.example/${"x".repeat(220)}`,
  '<a href=javascript:alert(1)>press</a> <a href="JAVASCRIPT:alert(1)">press</a>',
  '<a href="data:text/html,x">press</a> <a href="https://a.example" onclick="alert(1)">press</a>',
  '<a href="https://evil.example">https://bank.example</a> <a\nhref="https://a.example">press</a>',
  '<a href="https://a.example" style="position:fixed;inset:0">press</a>',
  '<a href="https://a.example" target=_self rel=opener>press</a>',
  '<a href="https://a.example"><img src=x onerror=alert(1)></a>',
  '<a href="https://a.example\njavascript:alert(1)">press</a> <a href="https://user:pw@evil.example">press</a>',
  "<a href=https://a.example/><a href=https://b.example/>x</a></a>",
  "[press](javascript:alert(1)) ![x](https://evil.example/pixel.gif) <https://a.example/> <javascript:alert(1)>",
  "https://a.example/ https://a.example/ https://a.example/ https://a.example/",
];

const DIRECTIONS = [
  "\u202ereversed\u202c",
  "\u202eno end to it",
  "\u202dforced left\u202e right",
  "\u2066isolated\u2069 \u2067the other way\u2069",
  "\u202b\u202a\u202e\u202d".repeat(40),
  "\u200fmarks\u200e everywhere\u061c",
  "you (🦊): \u202esaid this",
  "مرحبا <b>بالعالم</b> https://a.example/مسار",
  "שלום \u202eעולם <script>",
  "abc אבג 123 دهو def",
  "\u2069\u2069\u2069\u2069 out of the box",
];

const HEAPED = [
  "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA\u036b\u0357\u0334\u0362\u0335\u031c\u0330\u0354L\u0368\u0367\u0369\u0358\u0320",
  `a${"\u0301".repeat(254)}`,
  `${"e\u0301\u0302\u0303\u0304\u0305\u0306".repeat(36)}`,
  `x${"\u20dd".repeat(100)}`,
  `ก${"็".repeat(254)}`,
  `o${"\u0338".repeat(120)}k`,
];

const EMOJI = ["👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩", "🏿", "1️⃣2️⃣3️⃣", "#️⃣", "❤️", "☺", "©®™", "🫨🪿🫎", "🦊\n🐙\n🌵"];

const INVISIBLE = ["\u200b", "\ufeff\ufeff", "\u2028\u2029", "\ud800", "\udfff alone", "\uffff\ufffe"];

const CONTROL = ["a\u0000b\u0007c\u001bd", "\u001b[31mred\u001b[0m", "\u{e0001}\u{e0041}\u{e0042}"];

const SHORT = ["<", ">", "<>", "< script >", "[object Object]", "' OR '1'='1", "null", "0"];

const LONG = [
  ...[..."aWi\t -_.ß漢ﾊ🦊\u00ad\u2060\u3164\u2800\u00a0\ufe0f\u200d\u0e47\ufffd"].map((sign) =>
    sign.repeat(255),
  ),
  ...[..."𒐫﷽꧅⸻𝕬ﷺ\u0489\u2067\n"].map((sign) => sign.repeat(200)),
  ...["🇩🇪", "👍🏿", "\u115f\u1160", "🦊 "].map((signs) => signs.repeat(120)),
  "👨‍👩‍👧‍👦".repeat(36),
  `top${"\n".repeat(250)}end`,
  "a\n".repeat(127),
  `${" ".repeat(120)}x${" ".repeat(120)}`,
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3),
  "🦊\u200d\u200d\u200d🦊",
  "😀<script>alert(1)</script>",
];

const ALL = [TAGS, ENTITIES, LINKS, DIRECTIONS, HEAPED, EMOJI, INVISIBLE, CONTROL, SHORT, LONG];

export const CORPUS: readonly string[] = ALL.flat();
