import { isObject, type Json, type JsonObject, type Manifest } from './manifest.js';

/** A new name with a tag or a digest. */
export interface Image {
  readonly name: string;
  readonly newName: string;
  readonly newTag?: string;
  readonly digest?: string;
}

/** Replaces the images of every container that have these names. */
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
    if (!found) return image;
    const { newName, newTag, digest } = found;
    if ((newTag === undefined) === (digest === undefined)) {
      throw new Error(`${newName} needs a tag or a digest, and not both`);
    }
    return digest === undefined ? `${newName}:${newTag}` : `${newName}@${digest}`;
  };
  return replace(object) as Manifest;
}
