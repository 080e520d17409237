# Policies as operators of IOTA's gas station write them: no import, `default x = false`, and `bcs.decode_typed`.
package matchers

program := input.transaction_data.V1.kind.ProgrammableTransaction

default only_buys = false

only_buys if {
	count(program.commands) == 1
	mc := program.commands[0].MoveCall
	mc["package"] == "0x0000000000000000000000000000000000000000000000000000000000000dec"
	mc.module == "shop"
	mc.function == "buy"
}

default buys_little = false

buys_little if {
	only_buys
	at := program.commands[0].MoveCall.arguments[0].Input
	bcs.decode_typed(program.inputs[at].Pure, "u64") <= 1000
}

first(type) := bcs.decode_typed(program.inputs[0].Pure, type)

default is_string = false

is_string if first("string") == "hello"

default is_u8 = false

is_u8 if first("u8") == 255

default is_u16 = false

is_u16 if first("u16") == 65535

default is_u32 = false

is_u32 if first("u32") == 4294967295

default is_u64 = false

is_u64 if first("u64") == 18446744073709551615

default is_bool = false

is_bool if first("bool") == true

default is_address = false

is_address if first("address") == "0x32699386a39f53191c4d262157d8520ca4c83fa530dd11cb9e80315aa40af77c"

default is_vector_string = false

is_vector_string if first("vector_string") == ["hello", "world"]

default is_vector_u8 = false

is_vector_u8 if first("vector_u8") == [255, 0]

default is_vector_u16 = false

is_vector_u16 if first("vector_u16") == [65535, 0]

default is_vector_u32 = false

is_vector_u32 if first("vector_u32") == [4294967295, 0]

default is_vector_u64 = false

is_vector_u64 if first("vector_u64") == [18446744073709551615, 0]

default is_vector_bool = false

is_vector_bool if first("vector_bool") == [true, false]

default is_vector_address = false

is_vector_address if {
	every one in first("vector_address") {
		one == "0x32699386a39f53191c4d262157d8520ca4c83fa530dd11cb9e80315aa40af77c"
	}
}

default is_other_type = false

is_other_type if first("u128") == 1
