-- Moves a checkpoint on, and refuses, so that whatever was sent along with it is refused too, where another follower moved it.
--
-- The commit need not be flushed to the disk: after a crash rows and checkpoint stand where they stood together a moment ago, and
-- the log, which is the truth, is followed from there again. A commit that waits for the disk took 3 ms beside 2 ms of work.
create function waybill_move_checkpoint(p_name text, p_slot text, p_version int, p_from bigint, p_to bigint)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update projection_checkpoints set position = p_to, status = 'running', stopped_at = null, error = null, updated_at = now()
    where name = p_name and slot = p_slot and version = p_version and position = p_from;
  if not found then
    raise exception using errcode = 'WB004', message = 'another follower moved the checkpoint';
  end if;
end $$
