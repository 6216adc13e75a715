import { Copy } from 'lucide-react'
import { appText } from '#web/text/app.ts'
import styles from './CopyField.module.css'
import { Field } from './Field.tsx'
import { IconButton } from './IconButton.tsx'
import { useToasts } from './toasts.ts'

interface Props {
  label: string
  text: string
  copyLabel: string
  /** Shown after copying, and if the browser refused it. */
  messages: { copied: string; failed: string; failedText: string }
}

/** A text with a button that copies it. */
export function CopyField({ label, text, copyLabel, messages }: Props) {
  const toasts = useToasts()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toasts.success(appText.success, messages.copied, 'copy')
    } catch {
      toasts.error(messages.failed, messages.failedText, 'copy')
    }
  }
  return (
    <div className={styles.field}>
      <Field label={label} value={text} readOnly />
      <IconButton label={copyLabel} icon={<Copy aria-hidden />} onPress={() => void copy()} />
    </div>
  )
}
