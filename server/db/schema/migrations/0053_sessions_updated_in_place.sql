-- Each second updates the row of every active session with its newest fix. In a full page the new row goes to another
-- page, with an entry in each of the table's indexes. Where more than half of a page is free, it stays in its page and
-- no index changes (a HOT update).
alter table sessions set (fillfactor = 40);
