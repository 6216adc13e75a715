import { Camera } from 'lucide-react'
import { useState } from 'react'
import { memberPhotoName } from '#contract/fileRules.ts'
import type { Person } from '#contract/users.ts'
import { en } from '#web/text/en.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PictureDialog } from './PictureDialog.tsx'

interface Props {
  teamId: string
  member: Person
  /** Where it is, if there is one. */
  photo: string | undefined
}

/** One's own photo in a team, which nobody else may change. */
export function OwnPhoto({ teamId, member, photo }: Props) {
  const [open, setOpen] = useState(false)
  const { id, firstName, lastName, email } = member
  return (
    <>
      <IconButton
        label={en.members.photo}
        icon={<Camera aria-hidden />}
        onPress={() => setOpen(true)}
      />
      <PictureDialog
        open={open}
        title={en.members.photo}
        text={en.members.photoShown}
        file={{ teamId, name: memberPhotoName(id) }}
        plate={{ name: lastName ?? firstName ?? email ?? '', quiet: true }}
        current={photo}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
