import { useQuery } from '@tanstack/react-query'
import { LogOut, MapPinOff, MonitorSmartphone, UserPen } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '#web/api/login/login.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/overlays/Dialog.tsx'
import { Initials, Menu, MenuItem } from '#web/ui/overlays/Menu.tsx'
import { DeletePositions } from './DeletePositions.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { initialsOf } from './initialsOf.ts'
import { NameDialog } from './NameDialog.tsx'
import { useSignOut } from './useSignOut.ts'

/** Menu of the signed-in user: name, devices, positions, sign-out. */
export function ProfileMenu() {
  const me = useMe()
  const [naming, setNaming] = useState(false)
  const [listing, setListing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const signOut = useSignOut()
  const { data: teams } = useQuery(teamsQuery)
  const photo = newestPhotoUrl(me.id, teams ?? [])
  const name = [me.firstName, me.lastName].filter(Boolean).join(' ')
  const email = me.email ?? profileText.anonymous
  return (
    <>
      <Menu
        label={profileText.menu}
        button={<Initials picture={photo}>{initialsOf(me)}</Initials>}
        title={name || email}
        {...(name && { detail: email })}
      >
        <MenuItem icon={<UserPen aria-hidden />} onChoose={() => setNaming(true)}>
          {profileText.editName}
        </MenuItem>
        <MenuItem icon={<MonitorSmartphone aria-hidden />} onChoose={() => setListing(true)}>
          {profileText.devices}
        </MenuItem>
        <MenuItem icon={<MapPinOff aria-hidden />} onChoose={() => setDeleting(true)}>
          {profileText.deletePositions}
        </MenuItem>
        <MenuItem icon={<LogOut aria-hidden />} onChoose={() => void signOut.request()}>
          {profileText.signOut}
        </MenuItem>
      </Menu>
      <NameDialog open={naming} onClose={() => setNaming(false)} />
      <DevicesDialog open={listing} onClose={() => setListing(false)} />
      <DeletePositions open={deleting} onClose={() => setDeleting(false)} />
      <ConfirmDialog
        open={signOut.unsent !== null}
        title={profileText.unsentTitle}
        text={profileText.unsentText(signOut.unsent ?? 0)}
        cancelLabel={profileText.staySignedIn}
        confirmLabel={profileText.signOutAndDelete}
        onCancel={signOut.stay}
        onConfirm={signOut.confirm}
      />
    </>
  )
}
