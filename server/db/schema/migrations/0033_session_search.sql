-- Text as searched: without case and accents. Both sides of a comparison are folded.
create function folded(content text) returns text
language sql immutable strict parallel safe
return lower(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]', '', 'g'));
