import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '#web/api/refusalText.ts'
import { isCancelled } from '#web/device/passkeys.ts'
import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogError } from '#web/ui/Dialog.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { useCanHavePasskey } from './useCanHavePasskey.ts'
import { passkeysQuery, useAddPasskey } from './usePasskeys.ts'

const storageKey = settingKeys.passkeyOffer

/** Offers a passkey after a sign-in without one, if this device can have one, until the user declines it there. */
export function PasskeyOffer() {
  const [hidden, setHidden] = useState(() => textStore.read(storageKey) === 'declined')
  const canHave = useCanHavePasskey()
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: !hidden && canHave })
  const add = useAddPasskey()
  if (hidden || passkeys?.length !== 0) return null
  function decline() {
    textStore.write(storageKey, 'declined')
    setHidden(true)
  }
  return (
    <section aria-label={passkeysText.offer}>
      <Rows label={passkeysText.offer}>
        <Row
          plate={<KeyRound aria-hidden />}
          title={passkeysText.offer}
          detail={passkeysText.passkeysText}
          choices={
            <>
              <Button variant="quiet" disabled={add.isPending} onClick={decline}>
                {passkeysText.notNow}
              </Button>
              <Button variant="quiet" busy={add.isPending} onClick={() => add.mutate()}>
                {passkeysText.addPasskey}
              </Button>
            </>
          }
        />
      </Rows>
      {add.error && (
        <DialogError>
          {isCancelled(add.error) ? passkeysText.passkeyNotAdded : refusalText(add.error)}
        </DialogError>
      )}
    </section>
  )
}
