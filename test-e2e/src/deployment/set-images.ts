import { isObject, type Json, type JsonObject, type Manifest } from './manifest.js';

type Image = Readonly<Record<'name' | 'newName' | 'newTag', string>>;

/** Every container's image of these names, as it is called where it is deployed. */
export function setImages(object: Manifest, images: readonly Image[]): Manifest {
  const replace = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replace);
    if (!isObject(value)) return value;
    const result: JsonObject = {};
    for (const [field, one] of Object.entries(value)) {
      result[field] = field === 'image' && typeof one === 'string' ? renamed(one) : replace(one);
    }
    return result;
  };
  const renamed = (image: string): string => {
    const found = images.find(({ name }) => image.split(/[:@]/)[0] === name);
    return found ? `${found.newName}:${found.newTag}` : image;
  };
  return replace(object) as Manifest;
}
