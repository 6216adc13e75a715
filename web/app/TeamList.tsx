import { lazy, Suspense } from 'react'
import { hasJustSignedIn } from '#web/api/justSignedIn.ts'
import { supportsPasskeys } from '#web/device/passkeys.ts'
import { TeamListScreen } from '#web/teams/TeamListScreen.tsx'
import { Profile } from './Profile.tsx'

const PasskeyOffer = lazy(async () => ({
  default: (await import('#web/account/PasskeyOffer.tsx')).PasskeyOffer,
}))

/** The team list, with the profile menu in its bar, and after a sign-in the offer of a passkey. */
export function TeamList() {
  return (
    <TeamListScreen profile={<Profile />}>
      {hasJustSignedIn() && supportsPasskeys() && (
        <Suspense>
          <PasskeyOffer />
        </Suspense>
      )}
    </TeamListScreen>
  )
}
