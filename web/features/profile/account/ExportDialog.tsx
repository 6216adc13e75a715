import { Download } from 'lucide-react'
import { accountText } from '#web/text/account/account.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { LinkButton } from '#web/ui/buttons/LinkButton.tsx'
import { Stack } from '#web/ui/layout/Wrap.tsx'
import { FormDialog } from '#web/ui/overlays/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'

/** Explains the export of the user's data, and links to it. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog open title={accountText.exportTitle} onClose={onClose}>
      <Stack>
        <p className={typography.sub}>{accountText.exportText}</p>
        {/* A link, so that the browser saves a large file while it arrives. */}
        <LinkButton to="/api/v1/export.zip" reloadDocument download="pitboard.zip">
          <Download aria-hidden />
          {accountText.download}
        </LinkButton>
        <Button variant="quiet" onClick={onClose}>
          {profileText.close}
        </Button>
      </Stack>
    </FormDialog>
  )
}
