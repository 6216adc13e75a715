import { useFixUpload } from '../../offline/useFixUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'
import { useLiveRoles } from './useLiveRoles.ts'

/** What a signed-in user's screens share but do not need at first: the upload of unsent fixes, roles, notices. */
export function SignedInBackground() {
  useFixUpload()
  useLiveRoles()
  return (
    <>
      <ConnectionNotice />
      <LostFixesNotice />
    </>
  )
}
