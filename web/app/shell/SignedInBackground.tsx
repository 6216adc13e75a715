import { useFixUpload } from '../../offline/useFixUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'
import { useLiveTeam } from './useLiveTeam.ts'

/**
 * Shared by the screens of a signed-in user, but not needed at first: the upload of unsent fixes, changes of
 * teams, and notices.
 */
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
