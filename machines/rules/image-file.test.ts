import { expect, test } from 'vitest'
import { IMAGE_BYTES, imageFault } from './image-file.ts'

test.each([
  ['a small picture', 'image/png', 1, null],
  ['a byte less than 5 MB', 'image/jpeg', IMAGE_BYTES - 1, null],
  ['5 MB', 'image/jpeg', IMAGE_BYTES, 'Please select an image less than the size of 5MB.'],
  ['a text', 'text/plain', 1, 'Invalid file format, please select an image!'],
  ['a large text', 'text/plain', IMAGE_BYTES, 'Invalid file format, please select an image!'],
  ['a file of no known kind', '', 1, 'Invalid file format, please select an image!'],
])('%s', (_, type, size, fault) => expect(imageFault({ type, size })).toBe(fault))
