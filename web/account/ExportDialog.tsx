import { Download } from 'lucide-react'
import { accountText } from '#web/text/account.ts'
import { appText } from '#web/text/app.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'

/** Explains the export of the user's data, and links to it. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog title={accountText.exportTitle} onClose={onClose}>
      <Stack>
        <p className={typography.sub}>{accountText.exportText}</p>
        {/* A link, so that the browser saves a large file while it arrives. */}
        <LinkButton to="/api/v1/export.zip" reloadDocument download="pitboard.zip">
          <Download aria-hidden />
          {accountText.download}
        </LinkButton>
        <Button variant="quiet" onClick={onClose}>
          {appText.close}
        </Button>
      </Stack>
    </FormDialog>
  )
}
