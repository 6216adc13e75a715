import { Mail } from 'lucide-react'
import { useState } from 'react'
import { EmailDialog } from '#web/account/EmailDialog.tsx'
import { useMe } from '#web/api/login.ts'
import { textStore } from '#web/device/textStore.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'

const storageKey = 'pitboard.email-offer'

/** Offers somebody who joined by a code to add an email, until they decline it on this device. */
export function EmailOffer() {
  const { kind } = useMe()
  const [hidden, setHidden] = useState(() => textStore.read(storageKey) === 'declined')
  const [open, setOpen] = useState(false)
  if (kind !== 'joined' || hidden) return null
  function decline() {
    textStore.write(storageKey, 'declined')
    setHidden(true)
  }
  return (
    <>
      <Rows label={joinText.offer}>
        <Row
          plate={<Mail aria-hidden />}
          title={joinText.offer}
          detail={joinText.offerText}
          choices={
            <>
              <Button variant="quiet" onClick={decline}>
                {joinText.notNow}
              </Button>
              <Button onClick={() => setOpen(true)}>{joinText.add}</Button>
            </>
          }
        />
      </Rows>
      {open && <EmailDialog onClose={() => setOpen(false)} />}
    </>
  )
}
