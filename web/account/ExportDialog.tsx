import { Download } from 'lucide-react'
import { accountText } from '#web/text/account.ts'
import { InfoDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import typography from '#web/ui/theme/typography.module.css'

/** Explains the export of the user's data, and links to it. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <InfoDialog title={accountText.exportTitle} onClose={onClose}>
      <p className={typography.sub}>{accountText.exportText}</p>
      {/* A link, so that the browser saves a large file while it arrives. */}
      <LinkButton to="/api/v1/export.zip" reloadDocument download="pitboard.zip">
        <Download aria-hidden />
        {accountText.download}
      </LinkButton>
    </InfoDialog>
  )
}
