import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '#web/api/loginQuery.ts'
import { authText } from '#web/text/auth.ts'
import { GoogleButton } from './GoogleButton.tsx'
import styles from './OtherWays.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'
import { useCanHavePasskey } from './useCanHavePasskey.ts'

/**
 * The buttons to sign in without a code: Google if the server is configured for it, and a passkey if `withPasskey` is
 * set and this device can have one. Renders nothing without either.
 */
export function OtherWays({ withPasskey = false }: { withPasskey?: boolean }) {
  const { data } = useQuery(loginQuery)
  const canUsePasskey = useCanHavePasskey() && withPasskey
  if (!data?.google && !canUsePasskey) return null
  return (
    <>
      <div className={styles.or}>
        <span>{authText.orContinueWith}</span>
      </div>
      <div className={styles.ways}>
        {data?.google && <GoogleButton />}
        {canUsePasskey && <PasskeyButton />}
      </div>
    </>
  )
}
