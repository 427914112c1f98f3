import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onPress={() => setShown(!isShown)}
          className="-outline-offset-2"
        >
          {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </IconButton>
      }
    />
  )
}
