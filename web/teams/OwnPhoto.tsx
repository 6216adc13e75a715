import { Camera } from 'lucide-react'
import { useState } from 'react'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Person } from '#contract/users.ts'
import { membersText } from '#web/text/members.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PictureDialog } from './PictureDialog.tsx'

interface Props {
  teamId: string
  member: Person
  /** URL of the photo, if there is one. */
  photo: string | undefined
}

/** The user's own photo in a team. Nobody else can change it. */
export function OwnPhoto({ teamId, member, photo }: Props) {
  const [open, setOpen] = useState(false)
  const { id, firstName, lastName, email } = member
  return (
    <>
      <IconButton
        label={membersText.photo}
        icon={<Camera aria-hidden />}
        onPress={() => setOpen(true)}
      />
      {open && (
        <PictureDialog
          title={membersText.photo}
          text={membersText.photoShown}
          file={{ teamId, name: memberPhotoName(id) }}
          plate={{ name: lastName ?? firstName ?? email ?? '', quiet: true }}
          current={photo}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
