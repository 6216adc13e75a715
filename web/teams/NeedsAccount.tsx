import { useProfileDialog } from '#web/account/useProfileDialog.tsx'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { Stack } from '#web/ui/Wrap.tsx'

/** Asks somebody who joined by a code for an email or a passkey, before they may invite. */
export function NeedsAccount() {
  const { open, dialog } = useProfileDialog()
  return (
    <Stack>
      <p>{joinText.needsAccountText}</p>
      <Button variant="quiet" onClick={() => open('EmailDialog')}>
        {joinText.add}
      </Button>
      {dialog}
    </Stack>
  )
}
