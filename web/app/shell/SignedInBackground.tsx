import { useFixUpload } from '../../offline/useFixUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'

/** What a signed-in user's screens share but do not need at first: the upload of unsent fixes, and notices. */
export function SignedInBackground() {
  useFixUpload()
  return (
    <>
      <ConnectionNotice />
      <LostFixesNotice />
    </>
  )
}
