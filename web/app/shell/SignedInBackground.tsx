import { useFixUpload } from '../../offline/useFixUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'
import { useLiveTeam } from './useLiveTeam.ts'

/** What a signed-in user's screens share but do not need at first: the upload of unsent fixes, changes of teams, notices. */
export function SignedInBackground() {
  useFixUpload()
  useLiveTeam()
  return (
    <>
      <ConnectionNotice />
      <LostFixesNotice />
    </>
  )
}
