import { useQuery } from '@tanstack/react-query'
import { Headset } from 'lucide-react'
import { useNavigate } from 'react-router'
import { MenuItem } from '#web/ui/Menu.tsx'
import { settingsQuery } from './settingsQuery.ts'

/** Texts of the add-on in the app's own menus. */
const menuText = {
  desk: 'Support desk',
}

/**
 * Item of the profile menu that leads agents to the support desk. Not in register.ts, which every
 * first load contains.
 */
export function DeskMenuItem() {
  const { data } = useQuery(settingsQuery)
  const navigate = useNavigate()
  if (!data?.isAgent) return null
  return (
    <MenuItem icon={<Headset aria-hidden />} onChoose={() => void navigate('/support')}>
      {menuText.desk}
    </MenuItem>
  )
}
