import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '#web/api/loginQuery.ts'
import { authText } from '#web/text/auth.ts'
import { GoogleButton } from './GoogleButton.tsx'
import styles from './OtherWays.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'
import { useCanHavePasskey } from './useCanHavePasskey.ts'

/**
 * The ways in without a code: Google where the server has it, and a passkey on screens that ask for one. Renders
 * nothing without either.
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
