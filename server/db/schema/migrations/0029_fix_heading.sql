-- The direction of a fix over the ground, and whether its time is only that of its arrival. Positions stored before
-- have neither: their times are all of arrival.
alter table positions add heading_deg real, add at_arrival boolean;
