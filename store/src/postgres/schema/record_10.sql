-- Conversations that nobody has answered, and those that their owner may know of. Every statement
-- may be executed twice, also by two nodes at once.

-- Of those that are there nobody has noted it: so that none of them gives way, they count as answered.
ALTER TABLE conversation ADD COLUMN IF NOT EXISTS answered bool NOT NULL DEFAULT true;
ALTER TABLE conversation ALTER COLUMN answered SET DEFAULT false;

DROP INDEX IF EXISTS conversation_owner;

-- From this place on are those whose notes were held back or dropped.
CREATE INDEX IF NOT EXISTS conversation_listed ON conversation (owner, moved, id) WHERE place < '\xc0'::bytea;
-- Nobody reads this one; without it less would be written for these.
CREATE INDEX IF NOT EXISTS conversation_hidden ON conversation (owner, moved, id) WHERE place >= '\xc0'::bytea;
CREATE INDEX IF NOT EXISTS conversation_unanswered ON conversation (owner, moved, id) WHERE open AND NOT answered;
