module example/petstore-helper

go 1.21
