-- Moves a checkpoint. If another follower has moved it, or has begun a term of the role, raises an error, so that the
-- statements sent together with this one fail too. p_events: how many events the follower has passed. p_role: null if nobody
-- else can follow.
--
-- The commit need not be flushed to disk: after a crash, rows and checkpoint are back at an earlier state that fits
-- together, and the follower continues from there, because the log is the truth. Waiting for the disk added 3 ms to 2
-- ms of work.
create function waybill_move_checkpoint(p_name text, p_slot text, p_version int, p_from bigint, p_to bigint,
  p_events int, p_role text, p_epoch bigint)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update projection_checkpoints set position = p_to, events = events + p_events, status = 'running', stopped_at = null, error = null, updated_at = now()
    where name = p_name and slot = p_slot and version = p_version and position = p_from
      and (p_role is null or waybill_leads(p_role, p_epoch));
  if not found then
    raise exception using errcode = 'WB004', message = 'another follower moved the checkpoint';
  end if;
end $$
