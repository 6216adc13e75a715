import { Share, Smartphone } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import {
  hasInstallPrompt,
  installPlatform,
  onInstallPrompt,
  promptInstall,
} from '#web/device/installation.ts'
import { isOlder, thisIos } from '#web/device/ios.ts'
import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'
import { installText } from '#web/text/install.ts'
import { ActionButton } from '#web/ui/ActionCard.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './InstallHelp.module.css'

const storageKey = settingKeys.installHelp

/**
 * Explains on a phone how to install the app, until it is installed or the user hides it. Not on an iPhone whose
 * screen would go dark in an installed app.
 */
export function InstallHelp() {
  const [platform] = useState(installPlatform)
  const [hidden, setHidden] = useState(() => textStore.read(storageKey) === 'hidden')
  const [open, setOpen] = useState(false)
  const canPrompt = useSyncExternalStore(onInstallPrompt, hasInstallPrompt)
  const [ios] = useState(thisIos)
  if (platform === null || hidden || (ios && isOlder(ios, 18, 4))) return null
  function hide() {
    textStore.write(storageKey, 'hidden')
    setHidden(true)
  }
  return (
    <>
      <ActionButton
        icon={<Smartphone aria-hidden />}
        lead={installText.install}
        onAct={() => (canPrompt ? void promptInstall() : setOpen(true))}
      >
        {installText.why}
      </ActionButton>
      <FormDialog open={open} title={installText.title} onClose={() => setOpen(false)}>
        <Stack>
          <ol className={styles.steps}>
            {installText.steps[platform].map((step, index) => (
              <li key={step}>
                {step} {platform === 'ios' && index === 0 && <Share aria-hidden />}
              </li>
            ))}
          </ol>
          <DialogChoices>
            <Button onClick={() => setOpen(false)}>{installText.done}</Button>
            <Button variant="quiet" onClick={hide}>
              {installText.hide}
            </Button>
          </DialogChoices>
        </Stack>
      </FormDialog>
    </>
  )
}
