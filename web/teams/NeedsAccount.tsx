import { useState } from 'react'
import { EmailDialog } from '#web/account/EmailDialog.tsx'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { Stack } from '#web/ui/Wrap.tsx'

/** Asks somebody who joined by a code for an email or a passkey, before they may invite. */
export function NeedsAccount() {
  const [open, setOpen] = useState(false)
  return (
    <Stack>
      <p>{joinText.needsAccountText}</p>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {joinText.add}
      </Button>
      {open && <EmailDialog onClose={() => setOpen(false)} />}
    </Stack>
  )
}
