import { Copy } from 'lucide-react'
import { deskText } from '#support/web/text/desk.ts'
import { IconButton } from '#web/ui/buttons/IconButton.tsx'
import { Field } from '#web/ui/forms/Field.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import styles from './CopyAddress.module.css'

/** A link with a button that copies it. */
export function CopyAddress({ address }: { address: string }) {
  const toasts = useToasts()
  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
      toasts.success(deskText.copied, undefined, 'copy-address')
    } catch {
      toasts.error(deskText.copyFailed, deskText.copyFailedText, 'copy-address')
    }
  }
  return (
    <div className={styles.address}>
      <Field label={deskText.address} value={address} readOnly />
      <IconButton label={deskText.copy} icon={<Copy aria-hidden />} onPress={() => void copy()} />
    </div>
  )
}
